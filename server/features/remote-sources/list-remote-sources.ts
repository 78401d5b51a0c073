import type { RemoteSourceConfig } from '#shared/transfers/remote-source';
import type { Config } from '../../platform/config/config.ts';

/** The sources that are configured, in the order in which they are offered. */
export function listRemoteSources(settings: Config['remoteSources']): RemoteSourceConfig[] {
  const { googlePicker: picker } = settings;
  return [
    settings.links && { source: 'url' as const },
    picker && { source: 'google-photos-picker' as const, clientId: picker.clientId },
    picker?.drive && {
      source: 'google-drive-picker' as const,
      clientId: picker.clientId,
      ...picker.drive,
    },
    settings.dropbox && { source: 'dropbox' as const },
    settings.onedrive && { source: 'onedrive' as const },
    settings.googleDrive && { source: 'google-drive' as const },
  ].filter((each) => each !== false && each !== null && each !== undefined);
}
