import type { BaseProviderPlugin, Body, Meta } from '@uppy/core';
import type { GooglePickerState } from '@uppy/core/companion-client';
import { h, type ComponentChild } from '@uppy/core/utils/preact';
import type GoogleDrivePicker from '@uppy/google-drive-picker';
import type GooglePhotosPicker from '@uppy/google-photos-picker';
import { REMOTE_SOURCE_NAMES, type RemoteSourceConfig } from '#shared/transfers/remote-source';
import { COMPANION_URL } from './companion-url.ts';
import { googleAccessTokens } from './google-access-tokens.ts';
import type { PhotoUppy } from '../one-photo.ts';

type PickerConfig = Extract<RemoteSourceConfig, { clientId: string }>;
type Picker = BaseProviderPlugin & {
  render: () => ComponentChild;
  getPluginState: () => GooglePickerState;
};

/** The plugins' ids cannot be changed: Uppy's state adapter looks for them. */
const GOOGLE_PICKER_IDS = { photos: 'GooglePhotosPicker', drive: 'GoogleDrivePicker' } as const;

/** Google's windows: the photo picker is a tab, the drive picker a dialog over this page. */
const HINTS = {
  'google-photos-picker':
    'Choose one photo in the window of Google Photos and press Done there. It will then appear here.',
  'google-drive-picker': 'Choose one photo in Google Drive. It will then appear here.',
};

export function installGooglePicker(
  uppy: PhotoUppy,
  Plugin: typeof GooglePhotosPicker | typeof GoogleDrivePicker,
  { source, ...keys }: PickerConfig,
): void {
  const isDrive = source === 'google-drive-picker';
  const id = isDrive ? GOOGLE_PICKER_IDS.drive : GOOGLE_PICKER_IDS.photos;
  const options = {
    companionUrl: COMPANION_URL,
    storage: googleAccessTokens,
    apiKey: '',
    appId: '',
    ...keys,
  };
  uppy.use(Plugin as typeof GoogleDrivePicker<Meta, Body>, options);
  const plugin = uppy.getPlugin(id) as unknown as Picker;
  plugin.title = REMOTE_SOURCE_NAMES[source];
  const render = plugin.render;
  plugin.render = () =>
    h('div', { class: 'google-picker' }, [
      plugin.getPluginState().accessToken && h('p', {}, HINTS[source]),
      render(),
    ]);
  if (!isDrive) return;
  window.addEventListener('focusin', letPickerHaveFocus, { capture: true });
  window.addEventListener('focusout', letPickerHaveFocus, { capture: true });
}

/** The drive picker is outside of our dialog, which would take the focus back. */
function letPickerHaveFocus(event: FocusEvent): void {
  if (isInPicker(event.target) || isInPicker(event.relatedTarget)) event.stopPropagation();
}

function isInPicker(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.picker-dialog') !== null;
}
