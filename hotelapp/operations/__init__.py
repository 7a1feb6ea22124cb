"""What operators see: logs, request ids, health, metrics and Server-Timing. docs/monitoring.md explains them."""
