import { requireNode } from './lib/node-version.mjs';

requireNode();
const { execServer } = await import('./lib/exec-server.mjs');
// Its account's password is known: nobody should be able to spend the operator's money with it.
const withoutPaidServices = {
  OPENAI_API_KEY: '',
  TWILIO_ACCOUNT_SID: '',
  TWILIO_AUTH_TOKEN: '',
  TWILIO_PHONE_NUMBER: '',
  TWILIO_MESSAGING_SERVICE_SID: '',
};
const ownData = { DATA_DIR: '.demo', DATABASE_URL: '', OBJECT_STORAGE: 'disk', PUBLIC_URL: '' };
await execServer('demo-main', { ...ownData, ...withoutPaidServices });
