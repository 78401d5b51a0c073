ALTER TABLE "images" ADD COLUMN "copy_version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "is_animated" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "images" ADD COLUMN "is_turned" boolean DEFAULT false NOT NULL;