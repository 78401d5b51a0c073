import { desc, eq, lt, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/db/database.ts';
import { accountActivity } from '../../../platform/db/schema/accounts/account-activity.ts';

export type ActivityRow = typeof accountActivity.$inferSelect;

/** Of each kind: wrong passwords of strangers push out nothing else. */
const MAX_PER_KIND = 20;
const LISTED = 50;

/** Skips accounts that were deleted since. */
export async function insertActivity(db: Db, rows: ActivityRow[]): Promise<void> {
  const json = JSON.stringify(
    rows.map((row) => ({
      id: row.id,
      owner_id: row.ownerId,
      kind: row.kind,
      is_by_admin: row.isByAdmin,
      device: row.device,
      network: row.network,
      created_at: row.createdAt,
    })),
  );
  await db.execute(sql`
    insert into ${accountActivity} (id, owner_id, kind, is_by_admin, device, network, created_at)
    select added.* from jsonb_to_recordset(${json}::jsonb) as added (
      id uuid, owner_id uuid, kind text, is_by_admin boolean, device text, network text, created_at timestamptz
    )
    join users on users.id = added.owner_id
    for key share of users`);
  await db.execute(sql`
    delete from ${accountActivity} where id in (
      select id from (
        select id, row_number() over (partition by owner_id, kind order by created_at desc, id desc) as rank
        from ${accountActivity}
        where owner_id in (
          select owner_id from jsonb_to_recordset(${json}::jsonb) as added (owner_id uuid)
        )
      ) as ranked
      where rank > ${MAX_PER_KIND}
    )`);
}

/** The latest first. */
export async function listActivity(db: Db, ownerId: string): Promise<ActivityRow[]> {
  return db
    .select()
    .from(accountActivity)
    .where(eq(accountActivity.ownerId, ownerId))
    .orderBy(desc(accountActivity.createdAt), desc(accountActivity.id))
    .limit(LISTED);
}

export async function deleteActivityBefore(db: Db, before: Date): Promise<void> {
  await db.delete(accountActivity).where(lt(accountActivity.createdAt, before));
}
