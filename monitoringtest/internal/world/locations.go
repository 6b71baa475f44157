package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// locations are the public locations of the service.
var locations = []monitoring.Location{
	{Region: monitoring.RegionUSEast1, Name: "N. Virginia"}, {Region: monitoring.RegionUSEast2, Name: "Ohio"},
	{Region: monitoring.RegionUSWest1, Name: "N. California"}, {Region: monitoring.RegionUSWest2, Name: "Oregon"},
	{Region: monitoring.RegionCACentral1, Name: "Montreal"}, {Region: monitoring.RegionSAEast1, Name: "São Paulo"},
	{Region: monitoring.RegionEUWest1, Name: "Ireland"}, {Region: monitoring.RegionEUCentral1, Name: "Frankfurt"},
	{Region: monitoring.RegionEUWest2, Name: "London"}, {Region: monitoring.RegionEUWest3, Name: "Paris"},
	{Region: monitoring.RegionEUNorth1, Name: "Stockholm"}, {Region: monitoring.RegionEUSouth1, Name: "Milan"},
	{Region: monitoring.RegionMESouth1, Name: "Bahrain"}, {Region: monitoring.RegionAPSoutheast1, Name: "Singapore"},
	{Region: monitoring.RegionAPNortheast1, Name: "Tokyo"}, {Region: monitoring.RegionAPEast1, Name: "Hong Kong"},
	{Region: monitoring.RegionAPSoutheast2, Name: "Sydney"}, {Region: monitoring.RegionAPSoutheast3, Name: "Jakarta"},
	{Region: monitoring.RegionAPNortheast2, Name: "Seoul"}, {Region: monitoring.RegionAPNortheast3, Name: "Osaka"},
	{Region: monitoring.RegionAPSouth1, Name: "Mumbai"}, {Region: monitoring.RegionAFSouth1, Name: "Cape Town"},
}

// regions are the names of the locations.
var regions = func() Set {
	m := make(Set, len(locations))
	for _, l := range locations {
		m[string(l.Region)] = true
	}
	return m
}()

// Locations are the locations of the service as they are listed.
var Locations = JSON(locations)
