"""What every page shares: lists, forms, imports, error pages and the engineers' panel. It imports no app."""
