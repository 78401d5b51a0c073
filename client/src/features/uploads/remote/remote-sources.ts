import type { LinkedPhoto, RemoteSource, RemoteSourceConfig } from '#shared/transfers/remote-source';
import type { PhotoUppy } from '../one-photo.ts';

export interface RemoteSourceHandlers {
  findPhoto: (url: string, signal: AbortSignal) => Promise<LinkedPhoto>;
}

/** Adds a loaded source to an uploader. */
export type InstallRemoteSource = (uppy: PhotoUppy, handlers: RemoteSourceHandlers) => void;

/** The order of the buttons. The picker replaces the browser of the same drive. */
const ORDER: RemoteSource[] = [
  'google-photos-picker',
  'google-drive-picker',
  'google-drive',
  'dropbox',
  'onedrive',
  'url',
];

const CLOUD_BROWSERS = {
  dropbox: () => import('@uppy/dropbox'),
  onedrive: () => import('@uppy/onedrive') as Promise<unknown>,
  'google-drive': () => import('@uppy/google-drive') as Promise<unknown>,
};

/** Loads the code of the configured sources; none of it if there are none. */
export async function loadRemoteSources(configs: RemoteSourceConfig[]): Promise<InstallRemoteSource[]> {
  const hasDrivePicker = configs.some(({ source }) => source === 'google-drive-picker');
  const offered = configs.filter(({ source }) => source !== 'google-drive' || !hasDrivePicker);
  if (offered.length === 0) return [];
  const sorted = offered.toSorted((a, b) => ORDER.indexOf(a.source) - ORDER.indexOf(b.source));
  const [installers] = await Promise.all([
    Promise.all(sorted.map((config) => load(config, sorted.length === 1))),
    import('./remote-sources.css'),
  ]);
  return installers;
}

async function load(config: RemoteSourceConfig, isOnly: boolean): Promise<InstallRemoteSource> {
  switch (config.source) {
    case 'url': {
      const { PhotoLink } = await import('./photo-link.ts');
      return (uppy, { findPhoto }) =>
        void uppy.use(PhotoLink, { findPhoto, ...(isOnly && { title: 'or paste a link' }) });
    }
    case 'google-photos-picker': {
      const [{ default: GooglePhotosPicker }, { installGooglePicker }] = await Promise.all([
        import('@uppy/google-photos-picker'),
        import('./google-picker.ts'),
      ]);
      return (uppy) => installGooglePicker(uppy, GooglePhotosPicker, config);
    }
    case 'google-drive-picker': {
      const [{ default: GoogleDrivePicker }, { installGooglePicker }] = await Promise.all([
        import('@uppy/google-drive-picker'),
        import('./google-picker.ts'),
      ]);
      return (uppy) => installGooglePicker(uppy, GoogleDrivePicker, config);
    }
    default: {
      const [{ default: Plugin }, { installCloudBrowser }] = await Promise.all([
        CLOUD_BROWSERS[config.source]() as ReturnType<typeof CLOUD_BROWSERS.dropbox>,
        import('./cloud-browser.ts'),
      ]);
      return (uppy) => installCloudBrowser(uppy, Plugin, config.source);
    }
  }
}
