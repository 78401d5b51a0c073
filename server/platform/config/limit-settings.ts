import * as z from 'zod';
import { count, nonNegative, wholeNumber } from './setting-schemas.ts';

export const limitVariables = {
  PHONE_CODES_PER_ACCOUNT: count.default(5),
  PHONE_CODES_PER_NUMBER: count.default(5),
  PHONE_CODES_PER_ADDRESS: count.default(20),
  PHONE_CODES_WINDOW_MINUTES: count.default(60),
  PHONE_CODES_PER_DAY: count.default(500),
  TEXT_REPLIES_PER_NUMBER: count.default(60),
  TEXT_REPLIES_TO_STRANGERS_PER_DAY: count.default(100),
  CONTACTS_PER_DAY: count.default(20),
  MAILS_PER_HOUR: count.default(200),
  ACCOUNT_MAILS_PER_HOUR: count.default(5),
  REGISTRATIONS_PER_ADDRESS: count.default(20),
  REGISTRATIONS_PER_DAY: count.default(500),
  LOGIN_ATTEMPTS_PER_ACCOUNT: count.default(10),
  LOGIN_ATTEMPTS_PER_ADDRESS: count.default(100),
  LOGIN_ATTEMPTS_WINDOW_MINUTES: count.default(15),
  LOGIN_FAILURES_PER_ACCOUNT: count.default(20),
  UPLOADS_PER_MINUTE: count.default(60),
  INBOUND_MAILS_PER_HOUR: count.default(100),
  INBOUND_MAILS_PER_ADDRESS: count.default(300),
  INBOUND_MAIL_ANSWERS_PER_HOUR: count.default(5),
  CARICATURES_PER_DAY: wholeNumber.default(10),
  CARICATURES_PER_MONTH: count.default(1000),
  STORAGE_LIMIT_GB: z.coerce.number().positive().default(10),
  MIN_FREE_DISK_GB: nonNegative.default(1),
  MIN_FREE_DISK_PERCENT: nonNegative.max(50, 'must be 50 or less').default(5),
  WRITE_BURST: count.default(300),
  WRITES_PER_SECOND: count.default(2),
};

type Env = z.infer<z.ZodObject<typeof limitVariables>>;

export function toRateLimits(env: Env) {
  const loginWindow = env.LOGIN_ATTEMPTS_WINDOW_MINUTES * 60;
  const codeWindow = env.PHONE_CODES_WINDOW_MINUTES * 60;
  return {
    /** Attempts: refused ones count, since they tell which addresses have an account. */
    registrationPerIp: { points: env.REGISTRATIONS_PER_ADDRESS, seconds: 24 * 60 * 60 },
    /** For the whole installation. */
    registrationPerDay: { points: env.REGISTRATIONS_PER_DAY, seconds: 24 * 60 * 60 },
    loginPerUser: { points: env.LOGIN_ATTEMPTS_PER_ACCOUNT, seconds: loginWindow },
    loginPerIp: { points: env.LOGIN_ATTEMPTS_PER_ADDRESS, seconds: loginWindow },
    /** From all IP addresses together. More slow down the account's sign-in. */
    loginFailuresPerAccount: { points: env.LOGIN_FAILURES_PER_ACCOUNT, seconds: 24 * 60 * 60 },
    /** `seconds` is the longest delay. */
    loginWhileSlowed: { points: 1, seconds: loginWindow },
    userEmailPerAddress: { points: env.ACCOUNT_MAILS_PER_HOUR, seconds: 60 * 60 },
    contactPerUser: { points: env.CONTACTS_PER_DAY, seconds: 24 * 60 * 60 },
    phoneCodePerUser: { points: env.PHONE_CODES_PER_ACCOUNT, seconds: codeWindow },
    phoneCodePerNumber: { points: env.PHONE_CODES_PER_NUMBER, seconds: codeWindow },
    phoneCodePerIp: { points: env.PHONE_CODES_PER_ADDRESS, seconds: codeWindow },
    /** For the whole installation. */
    phoneCodePerDay: { points: env.PHONE_CODES_PER_DAY, seconds: 24 * 60 * 60 },
    /** One a day to a number without an account. */
    replyPerStranger: { points: 1, seconds: 24 * 60 * 60 },
    replyToStrangersPerDay: { points: env.TEXT_REPLIES_TO_STRANGERS_PER_DAY, seconds: 24 * 60 * 60 },
    /** Prevents an endless exchange with another automatic sender. */
    replyPerNumber: { points: env.TEXT_REPLIES_PER_NUMBER, seconds: 60 * 60 },
    uploadPerUser: { points: env.UPLOADS_PER_MINUTE, seconds: 60 },
    /** Photos from remote sources. Each is described and fetched. */
    remotePhotoPerUser: { points: 2 * env.UPLOADS_PER_MINUTE, seconds: 60 },
    inboundEmailPerUser: { points: env.INBOUND_MAILS_PER_HOUR, seconds: 60 * 60 },
    /** For clients of our SMTP receiver. */
    inboundEmailPerIp: { points: env.INBOUND_MAILS_PER_ADDRESS, seconds: 60 * 60 },
    emailAnswerPerUser: { points: env.INBOUND_MAIL_ANSWERS_PER_HOUR, seconds: 60 * 60 },
    /** Invitations that an administrator creates. */
    invitePerUser: { points: 100, seconds: 24 * 60 * 60 },
    /** For who opens a link. */
    invitePerIp: { points: 100, seconds: 60 * 60 },
    /** Each preview reads the whole email. 100 allow two per held message. */
    previewPerUser: { points: 100, seconds: 60 * 60 },
  };
}

export function toLimits(env: Env) {
  return {
    emailsPerHourAndUser: env.MAILS_PER_HOUR,
    /** Per user; 0 turns caricatures off. */
    caricaturesPerDay: env.CARICATURES_PER_DAY,
    /** For all users together, by the paid generator. */
    caricaturesPerMonth: env.CARICATURES_PER_MONTH,
    storageBytesPerUser: env.STORAGE_LIMIT_GB * 1024 ** 3,
    /** New uploads are refused below either. */
    minFreeDiskBytes: env.MIN_FREE_DISK_GB * 1024 ** 3,
    minFreeDiskShare: env.MIN_FREE_DISK_PERCENT / 100,
    /** Changes of one user, in each process. */
    writes: { burst: env.WRITE_BURST, perSecond: env.WRITES_PER_SECOND },
  };
}
