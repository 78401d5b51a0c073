{
  let choice;
  try {
    choice = localStorage.theme;
  } catch {
    // Storage is off.
  }
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.querySelector('meta[name=theme-color]').content = dark ? '#1c1512' : '#f7f0e4';
}
