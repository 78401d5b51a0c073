/** The colors of client/src/app/theme.css, inlined into every element: many email clients ignore stylesheets. */
export const LIGHT = {
  paper: '#f7f0e4',
  print: '#fffdf8',
  well: '#ebdfcd',
  ink: '#2e1f16',
  muted: '#6a5546',
  hairline: '#dfd0bb',
  accent: '#b0452a',
  onAccent: '#fffaf3',
};

const DARK: typeof LIGHT = {
  paper: '#1c1512',
  print: '#3a2e27',
  well: '#281f1a',
  ink: '#f4e9db',
  muted: '#c0ad9b',
  hairline: '#43352c',
  accent: '#e78c68',
  onAccent: '#27110a',
};

/**
 * System fonts like the app's Fraunces and Figtree. Its web fonts would tell the server that an email is opened. Without quotes,
 * which take six bytes each in an attribute.
 */
export const FONTS = {
  serif: 'Iowan Old Style, Palatino Linotype, Palatino, Georgia, Times New Roman, serif',
  sans: 'Avenir Next, Avenir, Segoe UI, Roboto, Helvetica, Arial, sans-serif',
};

/** For email clients with a dark mode by media query. Others invert the light colors or leave them. */
export const DARK_STYLES = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background-color: ${DARK.paper} !important; }
  .print { background-color: ${DARK.print} !important; border-color: ${DARK.hairline} !important; }
  .ink { color: ${DARK.ink} !important; }
  .muted { color: ${DARK.muted} !important; }
  .well { color: ${DARK.muted} !important; background-color: ${DARK.well} !important; }
  .hairline { border-color: ${DARK.hairline} !important; }
  .button { background-color: ${DARK.accent} !important; color: ${DARK.onAccent} !important; }
}`;
