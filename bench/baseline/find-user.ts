import { createHmac, timingSafeEqual } from 'node:crypto';
import type pg from 'pg';

const SESSION = 'SELECT sess FROM "sessions" WHERE sid = $1 AND expire >= to_timestamp($2)';

const USER = `
  select id, email, username, first_name, last_name, password_hash, email_verified_at, phone_number,
    phone_verified_at, time_zone, created_at, inbound_token, is_admin
  from users where id = $1`;

export type BaselineUser = {
  id: string;
  email: string;
  username: string;
  first_name: string | null;
  last_name: string | null;
  email_verified_at: Date | null;
  phone_number: string | null;
  phone_verified_at: Date | null;
  time_zone: string | null;
  created_at: Date;
  inbound_token: string;
  is_admin: boolean;
};

/** Authenticates by the app's session cookie, with the queries of connect-pg-simple and passport. */
export async function findUser(pool: pg.Pool, cookie: string, secret: string): Promise<BaselineUser | null> {
  const sid = readSessionId(cookie, secret);
  if (!sid) return null;
  const sessions = await pool.query<{ sess: { passport: { user: string } } }>(SESSION, [
    sid,
    Math.ceil(Date.now() / 1000),
  ]);
  const [session] = sessions.rows;
  if (!session) return null;
  const users = await pool.query<BaselineUser>(USER, [session.sess.passport.user]);
  return users.rows[0] ?? null;
}

/** The cookie is `mems.sid=s:<id>.<signature>`, percent-encoded. */
function readSessionId(cookie: string, secret: string): string | null {
  const [, value] = /(?:^|; )mems\.sid=([^;]*)/.exec(cookie) ?? [];
  if (!value) return null;
  const signed = decodeURIComponent(value).slice(2);
  const dot = signed.lastIndexOf('.');
  const sid = signed.slice(0, dot);
  const given = Buffer.from(signed.slice(dot + 1));
  const right = Buffer.from(createHmac('sha256', secret).update(sid).digest('base64').replace(/=+$/, ''));
  return given.length === right.length && timingSafeEqual(given, right) ? sid : null;
}
