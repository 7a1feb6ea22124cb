"""What a list is: its declaration, what follows from it, and what is asked of it. Pure, but for the models."""
