ALTER TABLE "users" ADD COLUMN "verify_email_by" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deletion_warned_at" timestamp (3) with time zone;