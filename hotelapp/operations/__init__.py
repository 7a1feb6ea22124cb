"""What operators see: logs, request ids, health and metrics. docs/monitoring.md explains them."""
