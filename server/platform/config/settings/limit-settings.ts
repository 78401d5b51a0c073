import * as z from 'zod';
import { count, nonNegative, wholeNumber } from './setting-schemas.ts';

const variables = {
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
  PASSWORD_RESETS_PER_ADDRESS: count.default(30),
  REGISTRATIONS_PER_ADDRESS: count.default(20),
  REGISTRATIONS_PER_DAY: count.default(500),
  LOGIN_ATTEMPTS_PER_ACCOUNT: count.default(10),
  LOGIN_ATTEMPTS_PER_ADDRESS: count.default(100),
  LOGIN_ATTEMPTS_WINDOW_MINUTES: count.default(15),
  LOGIN_FAILURES_PER_ACCOUNT: count.default(20),
  UPLOADS_PER_MINUTE: count.default(60),
  BATCH_GB_PER_HOUR: z.coerce.number().positive().default(20),
  INBOUND_MAILS_PER_HOUR: count.default(100),
  INBOUND_MAILS_PER_ADDRESS: count.default(300),
  INBOUND_MAIL_REPLIES_PER_HOUR: count.default(5),
  CARICATURES_PER_DAY: wholeNumber.default(10),
  CARICATURES_PER_MONTH: count.default(1000),
  STORAGE_LIMIT_GB: z.coerce.number().positive().default(10),
  EXPORT_PART_MB: z.coerce.number().positive().max(4000, 'must be 4000 or less').default(4000),
  MIN_FREE_DISK_GB: nonNegative.default(1),
  MIN_FREE_DISK_PERCENT: nonNegative.max(50, 'must be 50 or less').default(5),
  WRITE_BURST: count.default(300),
  WRITES_PER_SECOND: count.default(2),
  VISITOR_REQUEST_BURST: count.default(300),
  VISITOR_REQUESTS_PER_SECOND: count.default(5),
};

type Env = z.infer<z.ZodObject<typeof variables>>;

function toRateLimits(env: Env) {
  const loginWindow = env.LOGIN_ATTEMPTS_WINDOW_MINUTES * 60;
  const codeWindow = env.PHONE_CODES_WINDOW_MINUTES * 60;
  return {
    /** New accounts, and attempts that tell that a name or address is taken. Counted per invitation where there is one. */
    registrationPerIp: { points: env.REGISTRATIONS_PER_ADDRESS, seconds: 24 * 60 * 60 },
    /** New accounts of the whole installation, without the invited ones. */
    registrationPerDay: { points: env.REGISTRATIONS_PER_DAY, seconds: 24 * 60 * 60 },
    loginPerUser: { points: env.LOGIN_ATTEMPTS_PER_ACCOUNT, seconds: loginWindow },
    loginPerIp: { points: env.LOGIN_ATTEMPTS_PER_ADDRESS, seconds: loginWindow },
    /** Right passwords as well, of one account from one IP address: each check takes a core for a while. */
    passwordCheckPerUser: { points: env.LOGIN_ATTEMPTS_PER_ADDRESS, seconds: loginWindow },
    /** From all IP addresses together. More slow down the account's sign-in. */
    loginFailuresPerAccount: { points: env.LOGIN_FAILURES_PER_ACCOUNT, seconds: 24 * 60 * 60 },
    /** Wrong passwords for one account from one network. The first of an hour is not slowed down. */
    loginGuessesPerNetwork: { points: 1, seconds: 60 * 60 },
    /** Networks with a wrong password for one account. More have to wait, as all others. */
    loginNetworksPerAccount: { points: 60, seconds: 60 * 60 },
    /** `seconds` is the longest delay. */
    loginWhileSlowed: { points: 1, seconds: loginWindow },
    /** Each opened sign-in page asks for one, and for another while it stays open. */
    passkeyChallengePerIp: { points: 600, seconds: 60 * 60 },
    passwordChangePerUser: { points: 5, seconds: 60 * 60 },
    /** Links for a forgotten password, which may be asked for any number of addresses. */
    passwordResetPerIp: { points: env.PASSWORD_RESETS_PER_ADDRESS, seconds: 60 * 60 },
    /** Of one account, by one client. */
    passwordResetPerUserAndIp: { points: env.ACCOUNT_MAILS_PER_HOUR, seconds: 60 * 60 },
    /** Of one account, by all clients together. No link expires sooner, so that one of them works at any time. */
    passwordResetPerUser: { points: 4 * env.ACCOUNT_MAILS_PER_HOUR, seconds: 60 * 60 },
    /** Of all addresses together that have no account. */
    passwordResetOfUnknown: { points: 100, seconds: 60 * 60 },
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
    /** MiB of photos that are added in batches; each counts at least one. */
    batchMibPerUser: { points: Math.ceil(env.BATCH_GB_PER_HOUR * 1024), seconds: 60 * 60 },
    /** Photos from remote sources. Each is described and fetched. */
    remotePhotoPerUser: { points: 2 * env.UPLOADS_PER_MINUTE, seconds: 60 },
    inboundEmailPerUser: { points: env.INBOUND_MAILS_PER_HOUR, seconds: 60 * 60 },
    /** For clients of our SMTP receiver. */
    inboundEmailPerIp: { points: env.INBOUND_MAILS_PER_ADDRESS, seconds: 60 * 60 },
    emailReplyPerUser: { points: env.INBOUND_MAIL_REPLIES_PER_HOUR, seconds: 60 * 60 },
    /** Changes of who may send photos, and of the address for them. Each emails the owner. */
    inboundSettingsPerUser: { points: 30, seconds: 60 * 60 },
    exportPerUser: { points: 10, seconds: 24 * 60 * 60 },
    /** Zips: those of one album of 200 GB. */
    importPerUser: { points: 50, seconds: 24 * 60 * 60 },
    /** Links for a new password that an administrator makes. */
    resetLinkPerAdmin: { points: 20, seconds: 24 * 60 * 60 },
    /** Invitations that an administrator creates. */
    invitationPerUser: { points: 100, seconds: 24 * 60 * 60 },
    /** For who opens a link. */
    invitationPerIp: { points: 100, seconds: 60 * 60 },
    /** Sign-ins with OpenID Connect that are begun. */
    oidcSignInPerIp: { points: 100, seconds: 60 * 60 },
    /** Each preview reads the whole email. 100 allow two per held message. */
    previewPerUser: { points: 100, seconds: 60 * 60 },
  };
}

function toLimits(env: Env) {
  return {
    emailsPerHourAndUser: env.MAILS_PER_HOUR,
    /** Per user; 0 turns caricatures off. */
    caricaturesPerDay: env.CARICATURES_PER_DAY,
    /** For all users together, by the paid generator. */
    caricaturesPerMonth: env.CARICATURES_PER_MONTH,
    storageBytesPerUser: env.STORAGE_LIMIT_GB * 1024 ** 3,
    /** Of each zip of an export. More than 4 GB do not fit on an SD card or USB stick with FAT32. */
    exportPartBytes: env.EXPORT_PART_MB * 1000 ** 2,
    /** New uploads are rejected below either. */
    minFreeDiskBytes: env.MIN_FREE_DISK_GB * 1024 ** 3,
    minFreeDiskShare: env.MIN_FREE_DISK_PERCENT / 100,
    /** Changes of one user, in each process. */
    writes: { burst: env.WRITE_BURST, perSecond: env.WRITES_PER_SECOND },
    /** Requests of one client without a session, in each process. */
    visitorRequests: { burst: env.VISITOR_REQUEST_BURST, perSecond: env.VISITOR_REQUESTS_PER_SECOND },
  };
}

export const limitSettings = {
  variables,
  toSettings: (env: Env) => ({ rateLimits: toRateLimits(env), limits: toLimits(env) }),
};
