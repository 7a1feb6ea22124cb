// The components of Unfold's frame, as Alpine's build for a Content-Security-Policy takes them: registered by name, because
// this build evaluates no script. An attribute has one expression, without functions and without the browser's globals.

// Unfold's script asks for the scrollbars of this library, which is not loaded: a browser's own do.
window.SimpleBar = { instances: new Map() };

const SIDEBAR = "sidebarDesktopOpen";

document.addEventListener("alpine:init", () => {
  for (const component of [theme, searchForm, searchCommand, searchDropdown]) Alpine.data(component.name, component);
  Alpine.data("frame", (tab) => ({
    activeTab: (tab && getCurrentTab()) || tab,
    sidebarMobileOpen: false,
    sidebarDesktopOpen: localStorage.getItem(SIDEBAR) !== "0",
    // Unfold's forms of staff accounts and groups read their address in an expression.
    window: { location: { get pathname() { return location.pathname; }, get search() { return location.search; } } },
    init() {
      this.$watch(SIDEBAR, (isOpen) => localStorage.setItem(SIDEBAR, isOpen ? "1" : "0"));
    },
  }));
});
