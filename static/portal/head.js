// The colours that the user has chosen, before anything is drawn: the page does not wait for the other scripts, which change them.
const chosenTheme = JSON.parse(localStorage.getItem("adminTheme")) ?? "auto";
const isDark = chosenTheme === "dark" || (chosenTheme === "auto" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.classList.toggle("dark", isDark);
