CREATE TABLE "backup_runs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone NOT NULL,
	"failure_reason" text,
	"is_announced" boolean NOT NULL,
	"file_name" text,
	"objects" integer,
	"bytes" bigint
);
