// The components of Unfold's frame, as Alpine's build for a Content-Security-Policy takes them: registered by name, because
// this build evaluates no script. An attribute has one expression, without functions and without the browser's globals.
// The admin's pages have Unfold's own script, too.

// Unfold's script asks for the scrollbars of this library, which is not loaded: a browser's own do.
window.SimpleBar = { instances: new Map() };

const SIDEBAR = "sidebarDesktopOpen";
const DARK = matchMedia("(prefers-color-scheme: dark)");

// The colours: light, dark or the system's. head.js shows them first.
function portalTheme() {
  return {
    adminTheme: Alpine.$persist("auto").as("adminTheme"),
    openModal: false,
    switchTheme(name) { this.adminTheme = name; },
    themeBindings: {
      "x-bind:class"() {
        if (this.adminTheme === "dark" || (this.adminTheme === "auto" && DARK.matches)) return "dark";
        return this.adminTheme === "light" ? "light" : "";
      },
      "x-on:keydown.window"(event) {
        if (!(event.metaKey || event.ctrlKey) || event.key !== "e") return;
        event.preventDefault();
        this.adminTheme = this.adminTheme === "light" ? "dark" : "light";
      },
    },
  };
}

// The command palette. Its results are those of palette.js, and of the search.
function palette() {
  const hits = () => [...document.querySelectorAll("#command-results-list > li")];
  return {
    openCommandResults: false,
    currentIndex: 0, // of the chosen result, from 1 on
    show(isOpen) {
      this.openCommandResults = isOpen;
      document.body.classList.toggle("overflow-hidden", isOpen);
    },
    handleOpen() {
      this.show(true);
      setTimeout(() => this.$refs.searchInputCommand.focus(), 20); // Alpine shows it after this event
    },
    handleShortcut(event) {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey) || document.activeElement.matches("input, textarea")) return;
      event.preventDefault();
      this.handleOpen();
    },
    handleOutsideClick() {
      this.$refs.searchInputCommand.value = "";
      this.show(false);
    },
    handleEscape() {
      const field = this.$refs.searchInputCommand;
      if (!field.value) {
        document.getElementById("command-results").replaceChildren();
        this.currentIndex = 0;
        this.show(false);
      }
      field.value = "";
    },
    handleContentLoaded({ target }) {
      if (target.id === "command-results") this.currentIndex = 0;
    },
    go(step) {
      this.currentIndex = Math.min(Math.max(this.currentIndex + step, Math.min(this.currentIndex, 1)), hits().length);
      hits()[this.currentIndex - 1]?.scrollIntoView({ behavior: "smooth", block: "nearest" });
    },
    nextItem() { this.go(1); },
    prevItem() { this.go(-1); },
    selectItem(_, isNewTab) {
      const { href } = hits()[this.currentIndex - 1].querySelector("a");
      if (isNewTab) window.open(href, "_blank");
      else location = href;
    },
  };
}

document.addEventListener("alpine:init", () => {
  Alpine.data("theme", window.theme ?? portalTheme);
  Alpine.data("searchCommand", palette);
  for (const name of ["searchForm", "searchDropdown"]) if (window[name]) Alpine.data(name, window[name]);
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
