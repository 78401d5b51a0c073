import { copyText } from '../../lib/browser/system-share.ts';
import { showFailure } from '../toasts/show-error.ts';
import { showSuccess } from '../toasts/toast-store.ts';

/** For a link that the server has just created. */
export const LINK_NOT_COPIED = 'Link created, but it could not be copied';

/** @param hint what to do if the browser rejects it */
export async function copyLink(url: string, hint = 'Please select the link and copy it.'): Promise<void> {
  await copyWithToast(url, 'Link Copied!', ['The link could not be copied', hint]);
}

/** @param notCopied the title and what to do */
export async function copyWithToast(
  text: string,
  copied: string,
  notCopied: [title: string, hint: string],
): Promise<void> {
  try {
    await copyText(Promise.resolve(text));
    showSuccess(copied);
  } catch {
    showFailure(...notCopied);
  }
}
