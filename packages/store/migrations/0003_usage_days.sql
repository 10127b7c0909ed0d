CREATE TABLE "usage_days" (
	"key_id" text NOT NULL,
	"day" text NOT NULL,
	"operation" text NOT NULL,
	"calls" bigint NOT NULL,
	"refused" bigint NOT NULL,
	CONSTRAINT "usage_days_key_id_day_operation_pk" PRIMARY KEY("key_id","day","operation")
);
--> statement-breakpoint
CREATE INDEX "usage_days_day_index" ON "usage_days" USING btree ("day");