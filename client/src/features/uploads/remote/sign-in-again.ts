import type { Body, Meta, UnknownProviderPlugin } from '@uppy/core';
import { isFromGooglePicker } from './google-access-tokens.ts';
import { openPanel } from '../uppy/patch-uppy-dashboard.ts';
import { NOTICE_MS, type PhotoUppy } from '../one-photo.ts';
import { SignInError } from './sign-in-window.ts';

/** For a chosen photo whose vendor rejected the sign-in. @returns whether its upload can be retried now */
export async function signInAgain(uppy: PhotoUppy): Promise<boolean> {
  const [photo] = uppy.getFiles();
  if (!photo?.isRemote) return false;
  const { body } = photo.remote;
  if (isFromGooglePicker(body)) {
    // Google's links to a picked photo end with the sign-in.
    uppy.removeFile(photo.id);
    openPanel(uppy, body.platform === 'photos' ? 'GooglePhotosPicker' : 'GoogleDrivePicker');
    return false;
  }
  const plugin = uppy.getPlugin<UnknownProviderPlugin<Meta, Body>>(photo.source ?? '');
  return Promise.resolve(
    plugin?.provider.login({ authFormData: undefined, signal: new AbortController().signal }),
  ).then(
    () => plugin !== undefined,
    (error: unknown) => {
      if (error instanceof SignInError) uppy.info(error.message, 'info', NOTICE_MS);
      return false;
    },
  );
}
