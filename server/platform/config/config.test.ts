import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { projectRoot } from '../process/project-root.ts';

const SECRET = 'x'.repeat(32);

describe('parseConfig', () => {
  it('has a default for every setting', () => {
    const config = parseConfig({});
    expect(config.http).toEqual({
      host: '127.0.0.1',
      port: 5000,
      publicUrl: null,
      allowedHosts: [],
      isHttps: false,
      trustProxy: false,
      isOnlyLocal: true,
      healthToken: null,
    });
    expect(config.access).toEqual({ registration: 'open', adminEmail: null });
    expect(config.database).toEqual({ kind: 'embedded', poolSize: 10 });
    expect(config.oidc).toBeNull();
    expect(config.dataDir).toBe(join(process.cwd(), 'data'));
  });

  it('limits what one account can take of the machine', () => {
    expect(parseConfig({}).limits).toMatchObject({
      storageBytesPerUser: 10 * 1024 ** 3,
      minFreeDiskBytes: 1024 ** 3,
      minFreeDiskShare: 0.05,
      writes: { burst: 300, perSecond: 2 },
      visitorRequests: { burst: 300, perSecond: 5 },
    });
    const wrong = {
      MIN_FREE_DISK_GB: '-1',
      MIN_FREE_DISK_PERCENT: '51',
      WRITE_BURST: '0',
      WRITES_PER_SECOND: 'x',
    };
    for (const name of Object.keys(wrong)) expect(() => parseConfig(wrong)).toThrow(`${name}: `);
  });

  it('treats an empty variable as absent', () => {
    expect(parseConfig({ PORT: '', PUBLIC_URL: ' ' }).http.port).toBe(5000);
  });

  it('reports all wrong variables together', () => {
    const read = () =>
      parseConfig({
        PORT: 'high',
        PUBLIC_URL: 'mems.example',
        DATABASE_URL: 'mysql://x',
        TRUST_PROXY: 'yes',
      });
    for (const name of ['PORT', 'PUBLIC_URL', 'DATABASE_URL', 'TRUST_PROXY'])
      expect(read).toThrow(`${name}: `);
  });

  it('names the new name of a renamed variable', () => {
    expect(() => parseConfig({ INBOUND_MAIL_ANSWERS_PER_HOUR: '1' })).toThrow(
      'INBOUND_MAIL_ANSWERS_PER_HOUR: is now INBOUND_MAIL_REPLIES_PER_HOUR',
    );
  });

  it('requires what web and worker processes share', () => {
    expect(parseConfig({}).process).toEqual({ role: 'all', drainMs: 0 });
    expect(() => parseConfig({ PROCESS_ROLE: 'worker', DRAIN_SECONDS: '1' })).toThrow(
      [
        'The configuration has errors:',
        '  PROCESS_ROLE: worker needs DATABASE_URL',
        '  PROCESS_ROLE: worker needs OBJECT_STORAGE=s3',
        '  PROCESS_ROLE: worker needs SESSION_SECRET',
        '  PROCESS_ROLE: worker needs PUBLIC_URL',
      ].join('\n'),
    );
    const shared = {
      DATABASE_URL: 'postgres://db.example/mems',
      OBJECT_STORAGE: 's3',
      S3_BUCKET: 'mems',
      SESSION_SECRET: SECRET,
      PUBLIC_URL: 'https://mems.example',
    };
    expect(parseConfig({ ...shared, PROCESS_ROLE: 'web' }).process).toEqual({ role: 'web', drainMs: 3000 });
    expect(parseConfig({ ...shared, PROCESS_ROLE: 'worker' }).process).toEqual({
      role: 'worker',
      drainMs: 0,
    });
    expect(() => parseConfig({ DRAIN_SECONDS: '9' })).toThrow(
      'DRAIN_SECONDS: must be a whole number, 0 to 8',
    );
  });

  it('requires the two connections that an inbound email needs', () => {
    expect(() => parseConfig({ DATABASE_POOL_SIZE: '1' })).toThrow(
      'DATABASE_POOL_SIZE: must be 2 or more: adding photos from an email needs two connections at once',
    );
    expect(parseConfig({ DATABASE_POOL_SIZE: '2' }).database.poolSize).toBe(2);
  });

  it('requires the shared secrets only in production with an external database', () => {
    const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/mems' };
    expect(() => parseConfig(production)).toThrow(/SESSION_SECRET: [^]*UPLOAD_SECRET: /);
    expect(() => parseConfig({ ...production, SESSION_SECRET: 'short', UPLOAD_SECRET: SECRET })).toThrow(
      'SESSION_SECRET',
    );
    expect(
      parseConfig({ ...production, SESSION_SECRET: SECRET, UPLOAD_SECRET: SECRET }).secrets.session,
    ).toBe(SECRET);
    expect(parseConfig({ NODE_ENV: 'production' }).secrets.session).toBeNull();
    expect(parseConfig({ DATABASE_URL: 'postgres://db/mems' }).secrets.session).toBeNull();
  });

  it('reads proxies as hops or addresses', () => {
    const trusted = (value: string) => parseConfig({ TRUST_PROXY: value }).http.trustProxy;
    expect(trusted('2')).toBe(2);
    expect(trusted('false')).toBe(false);
    expect(trusted('loopback, 10.0.0.0/8')).toEqual(['loopback', '10.0.0.0/8']);
  });

  it('rejects invalid proxy addresses', () => {
    for (const value of ['999.1.1.1', '10.0.0.0/99', '10.0.0.0/', '::1/129', 'proxy.example', 'loopback;']) {
      expect(() => parseConfig({ TRUST_PROXY: value })).toThrow('TRUST_PROXY');
    }
    expect(parseConfig({ TRUST_PROXY: '::1/128,fd00::/8' }).http.trustProxy).toEqual(['::1/128', 'fd00::/8']);
  });

  it('accepts only an origin as PUBLIC_URL', () => {
    expect(parseConfig({ PUBLIC_URL: 'https://mems.example/' }).http).toMatchObject({
      publicUrl: 'https://mems.example',
      isHttps: true,
    });
    expect(() => parseConfig({ PUBLIC_URL: 'https://mems.example/app' })).toThrow('PUBLIC_URL');
  });

  it('reads allowed hosts as names without a port', () => {
    const { allowedHosts } = parseConfig({ ALLOWED_HOSTS: 'Photos.example., bär.example,nas.ts.net' }).http;
    expect(allowedHosts).toEqual(['photos.example', 'xn--br-via.example', 'nas.ts.net']);
    for (const value of [
      'a.example,',
      'https://a.example',
      'a.example:80',
      'a.example/b',
      'two words',
      '*.example',
    ])
      expect(() => parseConfig({ ALLOWED_HOSTS: value })).toThrow('ALLOWED_HOSTS');
  });

  it('signs in with OpenID Connect once issuer and client are configured', () => {
    const env = { OIDC_ISSUER: 'https://auth.example/realms/home', OIDC_CLIENT_ID: 'mems' };
    expect(parseConfig(env).oidc).toEqual({
      issuer: 'https://auth.example/realms/home',
      clientId: 'mems',
      clientSecret: null,
      name: 'auth.example',
    });
    expect(parseConfig({ ...env, OIDC_CLIENT_SECRET: 'secret', OIDC_NAME: 'Our house' }).oidc).toMatchObject({
      clientSecret: 'secret',
      name: 'Our house',
    });
    expect(() => parseConfig({ OIDC_NAME: 'Our house' })).toThrow(
      /OIDC_ISSUER: is required with OIDC_NAME[^]*OIDC_CLIENT_ID: is required with OIDC_NAME/,
    );
    expect(() => parseConfig({ OIDC_ISSUER: 'https://auth.example' })).toThrow('OIDC_CLIENT_ID: is required');
    expect(() => parseConfig({ ...env, NODE_ENV: 'production' })).toThrow('PUBLIC_URL: is required');
    expect(() => parseConfig({ ...env, OIDC_NAME: 'x'.repeat(31) })).toThrow('OIDC_NAME: ');
  });

  it('requires https of an issuer, except on this machine', () => {
    const read = (issuer: string) =>
      parseConfig({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'mems' }).oidc?.issuer;
    for (const issuer of ['http://localhost:8080/', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
      expect(read(issuer)).toBe(issuer);
    for (const issuer of [
      ...['http://auth.example', 'http://localhost.auth.example', 'auth.example', 'file:///etc/passwd'],
      ...['https://auth.example?realm=home', 'https://user:secret@auth.example', 'https://auth.example#home'],
    ])
      expect(() => read(issuer)).toThrow('OIDC_ISSUER: ');
  });

  it('is frozen', () => {
    expect(() => Object.assign(parseConfig({}).http, { port: 1 })).toThrow(TypeError);
  });

  it('has exactly the variables and defaults of .env.example', () => {
    const example = readFileSync(join(projectRoot, '.env.example'), 'utf8');
    const listed = Object.fromEntries(
      [...example.matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    expect(parseConfig(listed)).toEqual(parseConfig({}));
    const folder = join(projectRoot, 'server/platform/config');
    const source = readdirSync(folder, { encoding: 'utf8', recursive: true })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
    const known = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);
    const forTests = ['WEAK_PASSWORD_HASHES_FOR_TESTS'];
    expect([...Object.keys(listed), ...forTests].sort()).toEqual(known.sort());
  });

  it('weakens password hashes only for tests, and only if asked', () => {
    const weakened = { WEAK_PASSWORD_HASHES_FOR_TESTS: 'true' };
    expect(parseConfig({ NODE_ENV: 'test' }).hasWeakPasswordHashes).toBe(false);
    expect(parseConfig({ NODE_ENV: 'test', ...weakened }).hasWeakPasswordHashes).toBe(true);
    for (const NODE_ENV of ['production', 'development', undefined])
      expect(() => parseConfig({ NODE_ENV, ...weakened })).toThrow('is for tests only');
  });

  it('accepts S3 credentials with or without a session token, or leaves them to the AWS SDK', () => {
    const env = { OBJECT_STORAGE: 's3', S3_BUCKET: 'photos' };
    const key = { S3_ACCESS_KEY_ID: 'key', S3_SECRET_ACCESS_KEY: 'secret' };
    const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' };
    expect(parseConfig(env).objectStorage).toMatchObject({ kind: 's3', credentials: null });
    expect(parseConfig({ ...env, ...key }).objectStorage).toMatchObject({ credentials });
    expect(parseConfig({ ...env, ...key, S3_SESSION_TOKEN: 'token' }).objectStorage).toMatchObject({
      credentials: { ...credentials, sessionToken: 'token' },
    });
    expect(() => parseConfig({ OBJECT_STORAGE: 's3' })).toThrow('S3_BUCKET: is required');
    expect(() => parseConfig({ ...env, S3_ACCESS_KEY_ID: 'key' })).toThrow(
      'S3_SECRET_ACCESS_KEY: is required',
    );
    expect(() => parseConfig({ ...env, S3_SECRET_ACCESS_KEY: 'secret' })).toThrow(
      'S3_ACCESS_KEY_ID: is required',
    );
    expect(() => parseConfig({ ...env, S3_SESSION_TOKEN: 'token' })).toThrow(
      /S3_ACCESS_KEY_ID: is required[^]*S3_SECRET_ACCESS_KEY: is required/,
    );
  });

  it('uses the local caricature generator until OpenAI has a key', () => {
    expect(parseConfig({ OPENAI_IMAGE_MODEL: 'gpt-image-2' }).caricatureGenerator).toEqual({ kind: 'local' });
    expect(parseConfig({ OPENAI_API_KEY: 'sk-secret' }).caricatureGenerator).toEqual({
      kind: 'openai',
      apiKey: 'sk-secret',
      baseUrl: 'https://api.openai.com/v1',
      model: 'gpt-image-1.5',
      quality: 'medium',
      inputFidelity: 'high',
      prompt: null,
    });
    expect(() => parseConfig({ OPENAI_BASE_URL: 'api.openai.com' })).toThrow('OPENAI_BASE_URL: ');
  });

  it('uses the dev outbox for SMS until Twilio is configured, and reports its missing settings together', () => {
    expect(parseConfig({}).sms).toEqual({
      transport: { kind: 'dev-outbox' },
      phoneNumber: '+12025550100',
      countries: ['US', 'CA'],
    });
    expect(() => parseConfig({ TWILIO_API_URL: 'http://127.0.0.1:1' })).not.toThrow();
    expect(() => parseConfig({ TWILIO_AUTH_TOKEN: 'secret' })).toThrow(
      /TWILIO_ACCOUNT_SID: [^]*TWILIO_PHONE_NUMBER: or TWILIO_MESSAGING_SERVICE_SID /,
    );
    const account = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: 'secret' };
    const service = `MG${'0'.repeat(32)}`;
    const atWork = { ...account, TWILIO_MESSAGING_SERVICE_SID: service, NODE_ENV: 'production' };
    expect(() => parseConfig(atWork)).toThrow('PUBLIC_URL: is required with Twilio');
    expect(() => parseConfig({ ...atWork, PUBLIC_URL: 'https://mems.example' })).not.toThrow();
    expect(parseConfig({ ...account, TWILIO_MESSAGING_SERVICE_SID: service }).sms).toMatchObject({
      transport: {
        kind: 'twilio',
        messagingServiceSid: service,
        apiUrl: 'https://api.twilio.com',
        mediaUrls: [
          'https://mms.twiliocdn.com',
          'https://media.twiliocdn.com',
          'https://s3-external-1.amazonaws.com/media.twiliocdn.com',
        ],
      },
      phoneNumber: null,
    });
    const wrong = {
      TWILIO_ACCOUNT_SID: 'SK1',
      TWILIO_PHONE_NUMBER: '206 555 0123',
      PHONE_COUNTRIES: 'US,XX',
      TWILIO_MEDIA_URLS: 'https://mms.twiliocdn.com, twiliocdn.com',
    };
    for (const name of Object.keys(wrong)) expect(() => parseConfig(wrong)).toThrow(`${name}: must be`);
  });

  it('shows the dev outbox in production only if asked to', () => {
    const isEnabled = (env: NodeJS.ProcessEnv) => parseConfig(env).devOutbox.isEnabled;
    expect(isEnabled({})).toBe(true);
    expect(isEnabled({ DEV_OUTBOX: 'false' })).toBe(false);
    expect(isEnabled({ NODE_ENV: 'production' })).toBe(false);
    expect(isEnabled({ NODE_ENV: 'production', DEV_OUTBOX: 'true' })).toBe(true);
    expect(() => isEnabled({ DEV_OUTBOX: 'yes' })).toThrow('DEV_OUTBOX: ');
  });

  it('opens links by default only where the app is not public', () => {
    const links = (environment: NodeJS.ProcessEnv) => parseConfig(environment).remoteSources.links;
    expect(links({})).toBe(true);
    expect(links({ HOST: '::1', PUBLIC_URL: 'http://localhost:5173' })).toBe(true);
    expect(links({ HOST: '0.0.0.0' })).toBe(false);
    expect(links({ PUBLIC_URL: 'https://mems.example' })).toBe(false);
    expect(links({ HOST: '0.0.0.0', REMOTE_LINKS: 'true' })).toBe(true);
    expect(links({ REMOTE_LINKS: 'false' })).toBe(false);
    expect(() => links({ REMOTE_LINKS: 'yes' })).toThrow('REMOTE_LINKS: ');
  });

  it('requires the key of a remote source together with its secret', () => {
    expect(() =>
      parseConfig({
        DROPBOX_KEY: 'key',
        ONEDRIVE_SECRET: 'secret',
        GOOGLE_DRIVE_KEY: 'key',
        GOOGLE_PICKER_API_KEY: 'key',
      }),
    ).toThrow(
      [
        '  GOOGLE_PICKER_CLIENT_ID: is required with GOOGLE_PICKER_API_KEY',
        '  GOOGLE_PICKER_APP_ID: is required with GOOGLE_PICKER_API_KEY',
        '  DROPBOX_SECRET: is required with DROPBOX_KEY',
        '  ONEDRIVE_KEY: is required with ONEDRIVE_SECRET',
        '  GOOGLE_DRIVE_SECRET: is required with GOOGLE_DRIVE_KEY',
      ].join('\n'),
    );
  });
});
