"""What everything stands on: dtypes, errors, checks, context, seeds, log."""
