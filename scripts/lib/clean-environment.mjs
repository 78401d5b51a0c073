/** Variables that any program may need: paths, user, locale, proxy. */
const KEPT = [
  /^(path|home|user|logname|shell|lang|language|term|tmpdir|temp|tmp|ci|debian_frontend)$/i,
  /^(lc|xdg|npm_config|playwright|ssl_cert|s3_test)_/i,
  /^(https?|no|all)_proxy$/i,
  /^(node_extra_ca_certs|force_color|no_color|npm_execpath|chromium_path)$/i,
];

/** The environment for tests and checks: without server settings from the shell or a .env file, except those of `names`. */
export function cleanEnvironment(names = []) {
  const isKept = (name) => names.includes(name) || KEPT.some((pattern) => pattern.test(name));
  const kept = Object.entries(process.env).filter(([name]) => isKept(name));
  return { ...Object.fromEntries(kept), ENV_FILE: '' };
}
