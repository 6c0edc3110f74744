-- CreateTable
CREATE TABLE "metric_chunk" (
    "node" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "step" INTEGER NOT NULL,
    "start" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "metric_chunk_pkey" PRIMARY KEY ("node","step","model","version","start")
);

-- CreateTable
CREATE TABLE "node" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "metricsUrl" TEXT,
    "secret" TEXT,
    "cordoned" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "addedByName" TEXT NOT NULL,

    CONSTRAINT "node_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "slo" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "latencyMs" DOUBLE PRECISION,
    "objective" DOUBLE PRECISION NOT NULL,
    "windowDays" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "createdByName" TEXT NOT NULL,

    CONSTRAINT "slo_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "severity" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "model" TEXT,
    "node" TEXT,
    "sloId" TEXT,
    "openedAt" TIMESTAMP(3) NOT NULL,
    "closedAt" TIMESTAMP(3),
    "acknowledgedAt" TIMESTAMP(3),
    "acknowledgedByName" TEXT,
    "facts" JSONB NOT NULL,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_channel" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "severities" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "createdByName" TEXT NOT NULL,

    CONSTRAINT "alert_channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "alert_delivery" (
    "id" TEXT NOT NULL,
    "alertId" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" TIMESTAMP(3) NOT NULL,
    "lastError" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "deliveredAt" TIMESTAMP(3),

    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "fixture" (
    "id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "authorName" TEXT NOT NULL,

    CONSTRAINT "fixture_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "preference" (
    "userId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "value" JSONB NOT NULL,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "preference_pkey" PRIMARY KEY ("userId","key")
);

-- CreateTable
CREATE TABLE "diagnosis" (
    "id" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "model" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "from" INTEGER NOT NULL,
    "to" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "report" JSONB NOT NULL,
    "authorName" TEXT NOT NULL,

    CONSTRAINT "diagnosis_pkey" PRIMARY KEY ("id")
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

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_alertId_fkey" FOREIGN KEY ("alertId") REFERENCES "alert"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "alert_delivery" ADD CONSTRAINT "alert_delivery_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "alert_channel"("id") ON DELETE CASCADE ON UPDATE CASCADE;
