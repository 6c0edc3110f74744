-- CreateTable
CREATE TABLE "metric_chunk" (
    "node" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "data" BLOB NOT NULL,

    PRIMARY KEY ("node", "step", "model", "version", "start")
);

-- CreateTable
CREATE TABLE "node" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "metricsUrl" TEXT,
    "secret" TEXT,
    "cordoned" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL,
    "addedByName" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "slo" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "latencyMs" REAL,
    "objective" REAL NOT NULL,
    "windowDays" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "createdByName" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "key" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "model" TEXT,
    "node" TEXT,
    "sloId" TEXT,
    "openedAt" DATETIME NOT NULL,
    "closedAt" DATETIME,
    "acknowledgedAt" DATETIME,
    "acknowledgedByName" TEXT,
    "facts" JSONB NOT NULL
);

-- CreateTable
CREATE TABLE "alert_channel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "severities" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" DATETIME NOT NULL,
    "createdByName" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "alert_delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "alertId" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" DATETIME NOT NULL,
    "lastError" TEXT,
    "createdAt" DATETIME NOT NULL,
    "deliveredAt" DATETIME,
    CONSTRAINT "alert_delivery_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "alert" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "alert_delivery_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "alert_channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "fixture" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "model" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "authorName" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "preference" (
    "userId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("userId", "key")
);

-- CreateTable
CREATE TABLE "diagnosis" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "at" DATETIME NOT NULL,
    "model" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "from" INTEGER NOT NULL,
    "to" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "authorName" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "metric_chunk_step_start_idx" ON "metric_chunk"("step", "start");

-- CreateIndex
CREATE UNIQUE INDEX "node_name_key" ON "node"("name");

-- CreateIndex
CREATE INDEX "slo_model_idx" ON "slo"("model");

-- CreateIndex
CREATE INDEX "alert_key_closedAt_idx" ON "alert"("key", "closedAt");

-- CreateIndex
CREATE INDEX "alert_openedAt_idx" ON "alert"("openedAt");

-- CreateIndex
CREATE INDEX "alert_delivery_state_nextAt_idx" ON "alert_delivery"("state", "nextAt");

-- CreateIndex
CREATE INDEX "alert_delivery_alertId_idx" ON "alert_delivery"("alertId");

-- CreateIndex
CREATE UNIQUE INDEX "fixture_model_name_key" ON "fixture"("model", "name");

-- CreateIndex
CREATE INDEX "diagnosis_model_at_idx" ON "diagnosis"("model", "at");
