import type { RequestListener } from 'node:http';
import { createDropbox, DROPBOX_CLIENT } from './dropbox.ts';
import { createGoogle, GOOGLE_DRIVE_CLIENT, GOOGLE_PICKER } from './google.ts';
import type { OAuth } from './oauth.ts';
import { createOneDrive, ONEDRIVE_CLIENT } from './onedrive.ts';
import { createAccount, type VendorAccount } from './vendor-files.ts';
import { createTraffic, type Traffic } from './vendor-host.ts';

export type Vendors = {
  /** For startFakeInternet. */
  hosts: Record<string, RequestListener>;
  accounts: { dropbox: VendorAccount; onedrive: VendorAccount; drive: VendorAccount; photos: VendorAccount };
  oauth: { dropbox: OAuth; onedrive: OAuth; drive: OAuth; picker: OAuth };
  traffic: Traffic;
};

/** The settings of an app that uses all vendors. */
export const ALL_VENDORS = {
  DROPBOX_KEY: DROPBOX_CLIENT.key,
  DROPBOX_SECRET: DROPBOX_CLIENT.secret,
  ONEDRIVE_KEY: ONEDRIVE_CLIENT.key,
  ONEDRIVE_SECRET: ONEDRIVE_CLIENT.secret,
  GOOGLE_DRIVE_KEY: GOOGLE_DRIVE_CLIENT.key,
  GOOGLE_DRIVE_SECRET: GOOGLE_DRIVE_CLIENT.secret,
  GOOGLE_PICKER_CLIENT_ID: GOOGLE_PICKER.clientId,
  GOOGLE_PICKER_API_KEY: GOOGLE_PICKER.apiKey,
  GOOGLE_PICKER_APP_ID: GOOGLE_PICKER.appId,
};

/**
 * Stand-ins of all vendors for remote photos, each with an account that has the photo. A call that the vendor's
 * documentation does not allow gets the vendor's error.
 */
export function createVendors(photo: Buffer): Vendors {
  const traffic = createTraffic();
  const accounts = {
    dropbox: createAccount('dropbox', photo),
    onedrive: createAccount('onedrive', photo),
    drive: createAccount('drive', photo),
    photos: createAccount('photos', photo),
  };
  const dropbox = createDropbox(traffic, accounts.dropbox);
  const onedrive = createOneDrive(traffic, accounts.onedrive);
  const google = createGoogle(traffic, accounts.drive, accounts.photos);
  return {
    hosts: { ...dropbox.hosts, ...onedrive.hosts, ...google.hosts },
    accounts,
    oauth: {
      dropbox: dropbox.oauth,
      onedrive: onedrive.oauth,
      drive: google.oauth,
      picker: google.pickerOauth,
    },
    traffic,
  };
}
