/** $1: ids. Nobody signs in with them. */
export const INSERT_OWNERS = `
  insert into users (id, email, username, password_hash)
  select id, id || '@mems.example', id, '' from unnest($1::uuid[]) id`;

/** $1: a JSON array. */
export const INSERT_PETS = `
  insert into pets (id, owner_id, name, species)
  select id, "ownerId", name, species
  from json_to_recordset($1) as pet (id uuid, "ownerId" uuid, name text, species text)`;

/** $1: a JSON array of SeededMemory. */
export const INSERT_MEMORIES = `
  with batch as materialized (
    select * from json_to_recordset($1) as memory (
      id uuid, "ownerId" uuid, "petId" uuid, caption text, tags text[], "isLiked" boolean, "memoryDay" date,
      "addedDay" date, "createdAt" timestamptz, "ownWords" text[], "petWords" text[], "imageId" uuid, "objectKey" text,
      "contentType" text, "byteSize" int, sha256 text, width int, height int, placeholder text)
  ), pictures as (
    insert into images
      (id, owner_id, object_key, content_type, byte_size, sha256, width, height, placeholder, created_at)
    select "imageId", "ownerId", "objectKey", "contentType", "byteSize", sha256, width, height, placeholder, "createdAt"
    from batch
  ), stories as (
    insert into memories
      (id, owner_id, pet_id, image_id, caption, tags, is_liked, memory_day, source, created_at, added_day)
    select id, "ownerId", "petId", "imageId", caption, tags, "isLiked", "memoryDay", 'web', "createdAt", "addedDay"
    from batch
  )
  insert into memory_words (owner_id, word, memory_id, is_of_pet)
  select "ownerId", word, id, false from batch, unnest("ownWords") word
  union all
  select "ownerId", word, id, true from batch, unnest("petWords") word
  order by 1, 2`;
