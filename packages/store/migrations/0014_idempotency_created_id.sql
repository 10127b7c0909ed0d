ALTER TABLE "idempotency_keys" ADD COLUMN "created_id" text;--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_id_index" ON "idempotency_keys" USING btree ("created_id");