import { SIGN_IN_REDIRECT } from '../features/sessions/session-api.ts';
import { showToast } from '../ui/toast-store.ts';

const REDIRECT_DELAY_MS = 500;
const LOGGED_OUT = { title: 'Unauthorized', description: 'You are logged out. Logging in again...' };

let said: { title: string; description: string } | null = null;

/**
 * A notice, and then the way to sign in again; once, however many find the session gone. A screen's own words take the
 * place of the usual ones, whichever call was first. The screen left behind could only send people here again, so
 * 'Back' passes it by.
 */
export function redirectToSignIn(notice = LOGGED_OUT): void {
  if (said === null) setTimeout(() => window.location.replace(SIGN_IN_REDIRECT), REDIRECT_DELAY_MS);
  else if (said !== LOGGED_OUT || notice === LOGGED_OUT) return;
  said = notice;
  showToast({ ...notice, variant: 'destructive', isUrgent: true });
}
