"""What an app declares: keys, entities, models and tables."""
