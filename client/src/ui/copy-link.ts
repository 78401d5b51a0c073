import { copyText } from '../lib/system-share.ts';
import { showToast } from './toast-store.ts';

/** @param hint what to do if the browser refuses */
export async function copyLink(url: string, hint = 'Please select the link and copy it.'): Promise<void> {
  try {
    await copyText(Promise.resolve(url));
    showToast({ title: 'Link Copied!', variant: 'success' });
  } catch {
    showToast({ title: 'The link could not be copied', description: hint, variant: 'destructive' });
  }
}
