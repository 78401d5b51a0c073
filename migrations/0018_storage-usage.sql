-- Until the commit, so that no row is written between its count below and its trigger.
LOCK TABLE images, memories, pets IN SHARE ROW EXCLUSIVE MODE;
--> statement-breakpoint
CREATE TABLE "storage_usage" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "byte_size" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "sha256" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "last_used_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "storage_usage" ADD CONSTRAINT "storage_usage_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "uploads_open" ON "uploads" USING btree ("owner_id") WHERE "uploads"."status" = 'open' and "uploads"."byte_size" is not null;--> statement-breakpoint
-- What a text takes: itself, and 150 bytes for each search term, which are at most 5,000. Its words are estimated, so that
-- a change needs no look at the terms.
CREATE FUNCTION text_storage_bytes(bytes bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT bytes + least(bytes / 4, 5000) * 150
$$;
--> statement-breakpoint
CREATE FUNCTION storage_bytes(image images) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT image.byte_size::bigint
$$;
--> statement-breakpoint
CREATE FUNCTION storage_bytes(memory memories) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT text_storage_bytes(octet_length(concat_ws(' ', memory.caption, array_to_string(memory.tags, ' '))))
$$;
--> statement-breakpoint
CREATE FUNCTION storage_bytes(pet pets) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT text_storage_bytes(octet_length(concat_ws(' ', pet.name, pet.breed, pet.age, pet.weight, pet.description)))
$$;
--> statement-breakpoint
CREATE FUNCTION count_storage_bytes() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  change bigint := 0;
  owner uuid;
BEGIN
  IF TG_OP <> 'INSERT' THEN change := change - storage_bytes(OLD); owner := OLD.owner_id; END IF;
  IF TG_OP <> 'DELETE' THEN change := change + storage_bytes(NEW); owner := NEW.owner_id; END IF;
  IF change <> 0 THEN
    -- Nothing for an account that the same transaction deleted.
    INSERT INTO storage_usage (owner_id, bytes) SELECT id, change FROM users WHERE id = owner
    ON CONFLICT (owner_id) DO UPDATE SET bytes = storage_usage.bytes + excluded.bytes;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_storage_bytes AFTER INSERT OR DELETE OR UPDATE OF byte_size ON images
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_storage_bytes();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_storage_bytes AFTER INSERT OR DELETE OR UPDATE OF caption, tags ON memories
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_storage_bytes();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER count_storage_bytes AFTER INSERT OR DELETE OR UPDATE OF name, breed, age, weight, description ON pets
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_storage_bytes();
--> statement-breakpoint
INSERT INTO storage_usage (owner_id, bytes)
SELECT owner_id, sum(bytes) FROM (
  SELECT owner_id, storage_bytes(images) AS bytes FROM images
  UNION ALL SELECT owner_id, storage_bytes(memories) FROM memories
  UNION ALL SELECT owner_id, storage_bytes(pets) FROM pets
) AS stored GROUP BY owner_id;
