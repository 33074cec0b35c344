"""The report only formats: tables of a measurement, then one file per output format."""
