"""`python -m toolbench`."""

from toolbench.cli.main import main

raise SystemExit(main())
