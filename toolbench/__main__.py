"""`python -m toolbench`."""

try:
    from toolbench.cli.main import main

    code = main()
except KeyboardInterrupt:  # before the command line could take care of it
    code = 130
raise SystemExit(code)
