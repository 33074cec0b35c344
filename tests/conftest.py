"""What all tests share: no time limit for a single Hypothesis example, since speed lives in benchmarks/."""

from hypothesis import settings

settings.register_profile("house", deadline=None)
settings.load_profile("house")
