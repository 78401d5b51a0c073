/** The list of notices; the region around it is what F8 leads to. */
export const NOTIFICATIONS_ID = 'notifications';

/** Where notices appear: it may take the focus from a dialog that otherwise keeps it. */
export function notificationRegion(): HTMLElement | null {
  return document.getElementById(NOTIFICATIONS_ID)?.parentElement ?? null;
}
