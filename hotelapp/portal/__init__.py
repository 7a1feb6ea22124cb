"""What every page shares: lists, forms, imports, error pages and the cost panel. It imports no app."""
