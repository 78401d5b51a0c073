ALTER TABLE "idempotency_keys" ADD COLUMN "resource_id" uuid;--> statement-breakpoint
-- Written by hand: a retry of a request from before the update still finds what it created.
UPDATE "idempotency_keys" SET "resource_id" = (("answer" #>> '{}')::jsonb ->> 'id')::uuid;--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "status";--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP COLUMN "answer";
