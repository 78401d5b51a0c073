ALTER TABLE "images" ADD COLUMN "copy_bytes" jsonb;--> statement-breakpoint
ALTER TABLE "storage_usage" ADD COLUMN "allowance_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "images_uncounted" ON "images" USING btree ("id") WHERE "images"."copy_bytes" is null;--> statement-breakpoint
CREATE OR REPLACE FUNCTION storage_bytes(image images) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT image.byte_size
    + coalesce((SELECT sum(value::bigint) FROM jsonb_each_text(image.copy_bytes)), 0)::bigint
$$;
--> statement-breakpoint
DROP TRIGGER count_storage_bytes ON images;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_storage_bytes AFTER INSERT OR DELETE OR UPDATE OF byte_size, copy_bytes ON images
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_storage_bytes();
