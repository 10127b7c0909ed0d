CREATE TABLE "request_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key_id" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"request_id" text NOT NULL,
	"operation" text NOT NULL,
	"status" integer NOT NULL,
	"code" text,
	"ms" real NOT NULL,
	"queue_ms" real NOT NULL,
	"node_ms" real NOT NULL,
	"node_requests" integer NOT NULL,
	"input" text,
	"nearest_input" text,
	"transaction_hash" text
);
--> statement-breakpoint
CREATE INDEX "request_log_key_id_id_index" ON "request_log" USING btree ("key_id","id");--> statement-breakpoint
CREATE INDEX "request_log_request_id_index" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_log_transaction_hash_index" ON "request_log" USING btree ("transaction_hash") WHERE "request_log"."transaction_hash" is not null;