import json

import scrapy


class BenchSpider(scrapy.Spider):
    name = "bench"
    custom_settings = {
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        "ROBOTSTXT_OBEY": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def start_requests(self):
        print(json.dumps({"ready": True}), flush=True)
        yield scrapy.Request(self.start)

    def parse(self, response):
        response.css("title::text").get()
        for script in response.css('script[type="application/ld+json"]::text').getall():
            json.loads(script)
        for href in response.css("a::attr(href)").getall():
            target = response.urljoin(href).split("#")[0]
            if target.startswith(self.start):
                yield scrapy.Request(target)

    def closed(self, reason):
        print(json.dumps({"done": True, "reason": reason}), flush=True)
