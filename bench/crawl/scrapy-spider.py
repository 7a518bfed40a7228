# Scrapy as quick as it gets for this work: the uvloop event loop, one lxml tree per page, links known already dropped
# before they become requests, and nothing in between that the work does not need.
import json
from urllib.parse import urljoin

import scrapy
from lxml import html


class BenchSpider(scrapy.Spider):
    name = "bench"
    custom_settings = {
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        # Scrapy starts this many tasks for every response; its default of 100 is half of all its time.
        "CONCURRENT_ITEMS": 1,
        "DOWNLOADER_MIDDLEWARES_BASE": {},
        "SPIDER_MIDDLEWARES_BASE": {},
        "EXTENSIONS_BASE": {},
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }

    def start_requests(self):
        self.seen = {self.start}
        self.rooted = {"/"}
        print(json.dumps({"ready": True}), flush=True)
        yield scrapy.Request(self.start)

    def parse(self, response):
        tree = html.document_fromstring(response.body)
        tree.findtext(".//title")
        for script in tree.xpath('//script[@type="application/ld+json"]/text()'):
            json.loads(script)
        for href in tree.xpath("//a/@href"):
            # A link from the root means the same on every page, so that it is resolved once.
            if href in self.rooted:
                continue
            if href.startswith("/"):
                self.rooted.add(href)
            target = urljoin(response.url, href).split("#")[0]
            if target.startswith(self.start) and target not in self.seen:
                self.seen.add(target)
                yield scrapy.Request(target)

    def closed(self, reason):
        print(json.dumps({"done": True, "reason": reason}), flush=True)
