CREATE TABLE "audit_chain" (
	"id" integer PRIMARY KEY NOT NULL,
	"newest_position" bigint NOT NULL,
	"newest_hash" text NOT NULL,
	"removed_position" bigint NOT NULL,
	"removed_hash" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_events" (
	"position" bigint PRIMARY KEY NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"operator" text NOT NULL,
	"operation" text NOT NULL,
	"target" text NOT NULL,
	"address" text NOT NULL,
	"request_id" text NOT NULL,
	"fields" jsonb NOT NULL,
	"previous_hash" text NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "audit_events_time_index" ON "audit_events" USING btree ("time");--> statement-breakpoint
CREATE INDEX "audit_events_target_position_index" ON "audit_events" USING btree ("target","position");