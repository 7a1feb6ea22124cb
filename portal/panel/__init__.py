"""The engineers' panel: how a page was read, and what it cost; and the plots of start pages."""
