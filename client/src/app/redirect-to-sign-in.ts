import { SIGN_IN_REDIRECT } from '../features/sessions/session-api.ts';
import { showToast } from '../ui/toasts/toast-store.ts';

const REDIRECT_DELAY_MS = 500;
const LOGGED_OUT = { title: 'Unauthorized', description: 'You are logged out. Logging in again...' };

let shownNotice: { title: string; description: string } | null = null;

/** Idempotent. A page's own notice replaces the default. Uses `replace`, since Back would redirect again. */
export function redirectToSignIn(notice = LOGGED_OUT): void {
  if (shownNotice === null) setTimeout(() => window.location.replace(SIGN_IN_REDIRECT), REDIRECT_DELAY_MS);
  else if (shownNotice !== LOGGED_OUT || notice === LOGGED_OUT) return;
  shownNotice = notice;
  showToast({ ...notice, variant: 'destructive', isUrgent: true });
}

export function isRedirecting(): boolean {
  return shownNotice !== null;
}
