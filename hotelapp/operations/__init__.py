"""What operators see: logs, request ids, health and metrics. docs/operate.md explains them."""
