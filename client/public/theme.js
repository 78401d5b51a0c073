// Sets the theme before the first paint. src/lib/theme.ts handles later changes.
(function () {
  var choice = null;
  try {
    choice = localStorage.getItem('theme');
  } catch {
    // If storage is switched off, the system's theme is used.
  }
  var dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name="theme-color"]').content = dark ? '#1c1512' : '#f7f0e4';
})();
