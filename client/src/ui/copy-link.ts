import { copyText } from '../lib/system-share.ts';
import { showToast } from './toast-store.ts';

/** For a link that the server has just created. */
export const LINK_NOT_COPIED = 'Link created, but it could not be copied';

/** @param hint what to do if the browser rejects it */
export async function copyLink(url: string, hint = 'Please select the link and copy it.'): Promise<void> {
  try {
    await copyText(Promise.resolve(url));
    showToast({ title: 'Link Copied!', variant: 'success' });
  } catch {
    showToast({ title: 'The link could not be copied', description: hint, variant: 'destructive' });
  }
}
